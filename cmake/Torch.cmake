# The torch of the target environment, found without importing it (importing takes seconds), as target opwright_torch.
# Under `pip install .` the build runs in an environment without site-packages on its path; sysconfig still names them.
if(NOT OPWRIGHT_TORCH_ROOT)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  execute_process(
    COMMAND ${Python3_EXECUTABLE} -c "
import os, sys, sysconfig
folders = [sysconfig.get_path('platlib'), sysconfig.get_path('purelib'), *sys.path]
found = (os.path.join(f, 'torch') for f in folders if os.path.isfile(os.path.join(f, 'torch', 'lib', 'libtorch_cpu.so')))
print(next(found, ''), end='')"
    OUTPUT_VARIABLE torch_root COMMAND_ERROR_IS_FATAL ANY)
  set(OPWRIGHT_TORCH_ROOT "${torch_root}" CACHE PATH "The folder site-packages/torch" FORCE)
endif()
if(NOT OPWRIGHT_TORCH_ROOT)
  message(FATAL_ERROR "No torch found for ${Python3_EXECUTABLE}. Run `make setup`, or install torch into that environment, "
                      "or pass -DOPWRIGHT_TORCH_ROOT=.../site-packages/torch.")
endif()
file(STRINGS ${OPWRIGHT_TORCH_ROOT}/version.py torch_version REGEX "^__version__")
string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+[^']*" torch_version "${torch_version}")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/torch_version CONTENT "${torch_version}\n")  # compared before loading
message(STATUS "torch ${torch_version} at ${OPWRIGHT_TORCH_ROOT}")

add_library(opwright_torch INTERFACE)
target_include_directories(opwright_torch SYSTEM INTERFACE ${OPWRIGHT_TORCH_ROOT}/include
                                                           ${OPWRIGHT_TORCH_ROOT}/include/torch/csrc/api/include)
target_link_directories(opwright_torch INTERFACE ${OPWRIGHT_TORCH_ROOT}/lib)
target_link_libraries(opwright_torch INTERFACE torch_cpu c10)
# at::parallel_for is inline and silently serial without it. Linking needs nothing: libtorch_cpu brings its own libgomp,
# and a second copy would be a second pool of threads.
target_compile_options(opwright_torch INTERFACE -fopenmp)
