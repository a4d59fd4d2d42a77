# `cpack` in the build folder makes Debian packages, one for each component of
# Install.cmake. dpkg-shlibdeps finds the libraries that they depend on.
set(CPACK_GENERATOR DEB)
set(CPACK_SOURCE_GENERATOR "")
set(CPACK_PACKAGE_NAME unravel)
set(CPACK_PACKAGE_CONTACT "The Unravel project <unravel@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL plugin tools library)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)

# dpkg-shlibdeps looks for libLLVM where llvm-NN-dev has a link to it, and then
# does not always name the package of the library itself.
set(LibLLVM "libllvm${UNRAVEL_LLVM_MAJOR} (>= 1:${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR})")

set(CPACK_DEBIAN_PLUGIN_PACKAGE_NAME unravel-plugin)
set(CPACK_DEBIAN_PLUGIN_PACKAGE_DEPENDS "${LibLLVM}")
set(CPACK_COMPONENT_PLUGIN_DESCRIPTION "Simplifies the index arithmetic of GPU kernels: plugin for LLVM ${UNRAVEL_LLVM_MAJOR}
 The plugin for clang and opt ${UNRAVEL_LLVM_MAJOR}, a configuration file for clang, a CMake
 toolchain file, and the macros of unravel.h.")
set(CPACK_DEBIAN_PLUGIN_PACKAGE_RECOMMENDS clang-${UNRAVEL_LLVM_MAJOR})

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME unravel-tools)
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "Simplifies the index arithmetic of GPU kernels: tools
 Among them ptx-simplify and unravel-ptxas for the PTX of any compiler,
 ptx-compare, access-report, index-map, fusion-emit and kernel-run.")
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS
  "unravel-plugin (= ${PROJECT_VERSION}), ${LibLLVM}")
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "clang-${UNRAVEL_LLVM_MAJOR}, llvm-${UNRAVEL_LLVM_MAJOR}")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libunravel-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "Simplifies the index arithmetic of GPU kernels: library
 Static libraries and headers for compilers that link LLVM ${UNRAVEL_LLVM_MAJOR}; CMake
 finds them by find_package(Unravel).")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS llvm-${UNRAVEL_LLVM_MAJOR}-dev)

# Debian wants the licence under this name. (Only packages have these copies.)
foreach(Component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${Component} Name)
  install(FILES ${CMAKE_SOURCE_DIR}/LICENSE RENAME copyright
    DESTINATION share/doc/${CPACK_DEBIAN_${Name}_PACKAGE_NAME}
    COMPONENT ${Component} EXCLUDE_FROM_ALL)
endforeach()
include(CPack)
