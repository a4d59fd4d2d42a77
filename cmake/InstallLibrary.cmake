# For other compilers: AddIndexSimplifyPasses.h, find_package(Unravel)
# (docs/frontend.md). Headers keep the folders of the rooms.
target_include_directories(UnravelAlgebra SYSTEM INTERFACE
  $<INSTALL_INTERFACE:include/unravel>)
install(TARGETS ${UNRAVEL_LIBRARIES}
  EXPORT UnravelTargets ARCHIVE DESTINATION lib/unravel COMPONENT library)
install(EXPORT UnravelTargets NAMESPACE Unravel:: DESTINATION lib/unravel
  COMPONENT library)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/UnravelConfig.cmake
  DESTINATION lib/unravel COMPONENT library)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/analysis ${CMAKE_SOURCE_DIR}/transforms
  DESTINATION include/unravel COMPONENT library FILES_MATCHING PATTERN "*.h")
