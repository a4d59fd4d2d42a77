# One static library for each room of rooms.txt, linked with the rooms that it
# may include: what the table forbids does not link.
set(UNRAVEL_LIBRARIES "") # what other compilers link: the analyses and passes
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/rooms.txt Rows REGEX "^[a-z]")
set_property(DIRECTORY APPEND PROPERTY
  CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/rooms.txt)
foreach(Row IN LISTS Rows)
  string(REGEX REPLACE " +" ";" Row "${Row}")
  list(POP_FRONT Row Folder Library Level)
  set(LibraryOf_${Folder} ${Library})
  set(LevelOf_${Folder} ${Level})
  if(Library STREQUAL "-")
    continue()
  endif()
  file(GLOB Sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${Folder}/*.cpp)
  add_library(${Library} STATIC ${Sources})
  unravel_precompile_headers(${Library} LIBRARY ${Level})
  foreach(Room IN LISTS Row)
    target_link_libraries(${Library} PUBLIC ${LibraryOf_${Room}})
  endforeach()
  # A program may say with which of LLVM's static libraries it links in place of
  # the shared one.
  set(Static "$<TARGET_PROPERTY:UNRAVEL_STATIC_LLVM>")
  target_link_libraries(${Library} PUBLIC
    "$<IF:$<BOOL:${Static}>,${Static},LLVM>")
  if(Folder MATCHES "^(analysis|transforms)")
    list(APPEND UNRAVEL_LIBRARIES ${Library})
  endif()
endforeach()

# For programs that run once for each file that is compiled: loading LLVM's
# shared library takes longer than most kernels. Without what the static ones
# need (libzstd-dev) they link the shared one.
function(unravel_link_llvm_statically Program)
  if(LLVM_ENABLE_ZSTD AND NOT TARGET zstd::libzstd_shared)
    message(STATUS "${Program} starts slowly: install libzstd-dev")
    return()
  endif()
  llvm_map_components_to_libnames(Libraries ${ARGN})
  set_target_properties(${Program} PROPERTIES
    UNRAVEL_STATIC_LLVM "${Libraries}")
  # Nor does it search symbols of other libraries, or move to another address: a
  # millisecond, of the ten that a small file takes.
  if(NOT UNRAVEL_SANITIZE)
    target_link_options(${Program} PRIVATE
      -no-pie -static-libstdc++ -static-libgcc)
  endif()
endfunction()
