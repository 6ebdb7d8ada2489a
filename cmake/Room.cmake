# A room is a folder of sources with one purpose: one library and one test program. Files are named by where they are, so
# adding one edits no list. tests/layers says which room may include which.

# opwright_room(ROOM [FOLDERS folder...] [LINKS target...] [TORCH])
#   opwright_ROOM       library of ROOM/*.cpp and FOLDERS/*.cpp without the tests
#   opwright_ROOM_test  program of the tests among them, *_test.cpp
# Objects, not an archive, where TORCH is given: registration code that nothing calls by name must survive linking.
function(opwright_room room)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TORCH" "" "FOLDERS;LINKS")
  string(REPLACE "/" "_" name ${room})
  set(sources)
  foreach(folder IN LISTS room arg_FOLDERS)
    file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")

  if(arg_TORCH)
    add_library(opwright_${name} OBJECT ${sources})
  else()
    add_library(opwright_${name} STATIC ${sources})
  endif()
  target_link_libraries(opwright_${name} PUBLIC opwright_options ${arg_LINKS})
  opwright_test(${name} SOURCES ${tests} LINKS opwright_${name})
endfunction()

# opwright_test(NAME SOURCES file... LINKS target...): a GoogleTest program whose cases run in the source folder, where they
# find declarations and goldens by their path in the repository.
function(opwright_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS")
  if(NOT OPWRIGHT_TESTS OR NOT arg_SOURCES)
    return()
  endif()
  add_executable(opwright_${name}_test ${arg_SOURCES})
  target_link_libraries(opwright_${name}_test PRIVATE ${arg_LINKS} GTest::gmock GTest::gtest_main)
  gtest_discover_tests(opwright_${name}_test TEST_PREFIX "${name}: " WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                       DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
endfunction()
