# Runs `opwright generate` over ops/ into generated/ of the build folder. Every file that it writes is known from the names
# of the declarations, so that compilers can wait for it: per declaration two headers, per family four sources.
set(OPWRIGHT_GENERATED ${PROJECT_BINARY_DIR}/generated)
file(GLOB declarations CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/ops/*/*.yaml)
list(FILTER declarations EXCLUDE REGEX "/ops/aten/")

set(OPWRIGHT_GENERATED_TORCH_SOURCES ${OPWRIGHT_GENERATED}/operators.cpp)
set(OPWRIGHT_GENERATED_ENTRY_POINTS)
set(headers)
foreach(declaration IN LISTS declarations)
  cmake_path(GET declaration STEM stem)
  cmake_path(GET declaration PARENT_PATH folder)
  cmake_path(GET folder FILENAME family)
  list(APPEND headers ${OPWRIGHT_GENERATED}/${family}/${stem}.h ${OPWRIGHT_GENERATED}/${family}/${stem}.infer.h)
  foreach(artefact wrappers autograd register)
    list(APPEND OPWRIGHT_GENERATED_TORCH_SOURCES ${OPWRIGHT_GENERATED}/${family}/${artefact}.cpp)
  endforeach()
  list(APPEND headers ${OPWRIGHT_GENERATED}/${family}/wrappers.h)
  list(APPEND OPWRIGHT_GENERATED_ENTRY_POINTS ${OPWRIGHT_GENERATED}/${family}/entry_points.cpp)
endforeach()
list(REMOVE_DUPLICATES headers)
list(REMOVE_DUPLICATES OPWRIGHT_GENERATED_TORCH_SOURCES)
list(REMOVE_DUPLICATES OPWRIGHT_GENERATED_ENTRY_POINTS)

# The generator leaves a file that would not change alone, so the stamp is what tells ninja that it ran.
add_custom_command(
  OUTPUT ${OPWRIGHT_GENERATED}/.stamp
  BYPRODUCTS ${headers} ${OPWRIGHT_GENERATED_TORCH_SOURCES} ${OPWRIGHT_GENERATED_ENTRY_POINTS}
  COMMAND opwright_cli generate ops --out ${OPWRIGHT_GENERATED}
  COMMAND ${CMAKE_COMMAND} -E touch ${OPWRIGHT_GENERATED}/.stamp
  DEPENDS opwright_cli ${declarations}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMENT "opwright generate ops"
  VERBATIM)
add_custom_target(opwright_generated DEPENDS ${OPWRIGHT_GENERATED}/.stamp)

# What includes generated headers links this and names opwright_generated in add_dependencies.
add_library(opwright_generated_headers INTERFACE)
target_include_directories(opwright_generated_headers INTERFACE ${OPWRIGHT_GENERATED})
add_dependencies(opwright_generated_headers opwright_generated)
