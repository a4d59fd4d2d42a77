# What users need, and nothing else (test/library/installed.cmake has the list):
#
#   bin                   the tools
#   include/unravel.h     the macros that state facts in CUDA sources
#   lib/unravel           the plugin, and beside it clang's configuration file
#                         and CMake's toolchain file
#   share/doc/unravel     the licence
#
# and for other compilers, as the component `library` on its own, the passes and
# the analyses: include/unravel has headers in the folders of the rooms,
# find_package(Unravel) finds the libraries (docs/frontend.md).
include(CMakePackageConfigHelpers)
set(UNRAVEL_TOOLS access-report ptx-compare ptx-simplify ptx-fuzz unravel-ptxas index-map
  kernel-run kernel-fuzz fusion-emit)
set_target_properties(${UNRAVEL_TOOLS} Unravel PROPERTIES
  INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS ${UNRAVEL_TOOLS} RUNTIME DESTINATION bin)
install(PROGRAMS tools/unravel-toolkit/unravel-toolkit DESTINATION bin)
install(TARGETS Unravel LIBRARY DESTINATION lib/unravel)
install(FILES plugin/unravel.cfg cmake/unravel-cuda.cmake
  cmake/unravel-cuda-link.cmake DESTINATION lib/unravel)
install(FILES include/unravel.h DESTINATION include)
install(FILES LICENSE DESTINATION share/doc/unravel)

target_include_directories(UnravelAlgebra SYSTEM INTERFACE
  $<INSTALL_INTERFACE:include/unravel>)
install(TARGETS ${UNRAVEL_LIBRARIES}
  EXPORT UnravelTargets ARCHIVE DESTINATION lib/unravel COMPONENT library)
install(EXPORT UnravelTargets NAMESPACE Unravel:: DESTINATION lib/unravel
  COMPONENT library)
write_basic_package_version_file(
  ${CMAKE_BINARY_DIR}/cmake/UnravelConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES cmake/UnravelConfig.cmake
  ${CMAKE_BINARY_DIR}/cmake/UnravelConfigVersion.cmake
  DESTINATION lib/unravel COMPONENT library)
install(DIRECTORY analysis transforms
  DESTINATION include/unravel COMPONENT library FILES_MATCHING
  PATTERN "*.h" PATTERN "*.def")
