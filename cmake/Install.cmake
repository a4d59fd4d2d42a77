# What users need, and nothing else (test/library/installed.cmake has the list):
#
#   bin                   the tools
#   include/unravel.h     the macros that state facts in CUDA sources
#   lib/unravel           the plugin, and beside it clang's configuration file
#                         and CMake's toolchain file
#   share/man/man1        a manual page for each tool
#   share/bash-completion its options, for bash
#   share/doc/unravel     the licence
#
# and for other compilers, as the component `library` on its own, the passes and
# the analyses: include/unravel has headers in the folders of the rooms,
# find_package(Unravel) finds the libraries (docs/frontend.md).
# Each component is a package of its own: Packages.cmake.
include(CMakePackageConfigHelpers)
set(UNRAVEL_TOOLS access-report ptx-compare ptx-simplify ptx-fuzz unravel-ptxas index-map
  kernel-run kernel-fuzz fusion-emit)
set_target_properties(${UNRAVEL_TOOLS} Unravel PROPERTIES
  INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS ${UNRAVEL_TOOLS} RUNTIME DESTINATION bin COMPONENT tools)
install(PROGRAMS tools/unravel-toolkit/unravel-toolkit DESTINATION bin COMPONENT tools)
install(TARGETS Unravel LIBRARY DESTINATION lib/unravel COMPONENT plugin)
install(FILES plugin/unravel.cfg ${CMAKE_BINARY_DIR}/plugin/unravel-cuda.cmake
  cmake/unravel-cuda-link.cmake DESTINATION lib/unravel COMPONENT plugin)
install(FILES include/unravel.h DESTINATION include COMPONENT plugin)
install(FILES LICENSE DESTINATION share/doc/unravel)

# The project's version, behind --version; unravel-ptxas hands that on to ptxas.
configure_file(cmake/ToolVersion.cpp.in ${CMAKE_BINARY_DIR}/cmake/ToolVersion.cpp @ONLY)
foreach(Tool IN LISTS UNRAVEL_TOOLS)
  if(NOT Tool STREQUAL unravel-ptxas)
    target_sources(${Tool} PRIVATE ${CMAKE_BINARY_DIR}/cmake/ToolVersion.cpp)
  endif()
endforeach()

# Manual pages and completions are what the tools say of themselves.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/man ${CMAKE_BINARY_DIR}/completions)
set(Pages "")
foreach(Tool IN LISTS UNRAVEL_TOOLS ITEMS unravel-toolkit)
  set(Page ${CMAKE_BINARY_DIR}/man/${Tool}.1)
  set(Completion ${CMAKE_BINARY_DIR}/completions/${Tool})
  set(Program ${CMAKE_SOURCE_DIR}/tools/unravel-toolkit/unravel-toolkit)
  set(Help --help)
  if(TARGET ${Tool})
    set(Program $<TARGET_FILE:${Tool}>)
  endif()
  if(Tool STREQUAL unravel-ptxas)
    set(Help --unravel-help)
  endif()
  add_custom_command(OUTPUT ${Page} ${Completion}
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/manual_page.py
      ${PROJECT_VERSION} ${Page} ${Completion} ${Program} ${Help}
    DEPENDS ${CMAKE_SOURCE_DIR}/cmake/manual_page.py ${Program} VERBATIM)
  list(APPEND Pages ${Page})
  install(FILES ${Page} DESTINATION share/man/man1 COMPONENT tools)
  install(FILES ${Completion} DESTINATION share/bash-completion/completions
    COMPONENT tools)
endforeach()
add_custom_target(manual-pages DEPENDS ${Pages})
if(NOT UNRAVEL_SANITIZE) # which is not installed
  set_target_properties(manual-pages PROPERTIES EXCLUDE_FROM_ALL FALSE)
endif()

target_include_directories(UnravelAlgebra SYSTEM INTERFACE
  $<INSTALL_INTERFACE:include/unravel>)
install(TARGETS ${UNRAVEL_LIBRARIES}
  EXPORT UnravelTargets ARCHIVE DESTINATION lib/unravel COMPONENT library)
install(EXPORT UnravelTargets NAMESPACE Unravel:: DESTINATION lib/unravel
  COMPONENT library)
write_basic_package_version_file(
  ${CMAKE_BINARY_DIR}/cmake/UnravelConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
configure_file(cmake/UnravelConfig.cmake.in ${CMAKE_BINARY_DIR}/cmake/UnravelConfig.cmake @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/cmake/UnravelConfig.cmake
  ${CMAKE_BINARY_DIR}/cmake/UnravelConfigVersion.cmake
  DESTINATION lib/unravel COMPONENT library)
install(DIRECTORY analysis transforms
  DESTINATION include/unravel COMPONENT library FILES_MATCHING
  PATTERN "*.h" PATTERN "*.def")
