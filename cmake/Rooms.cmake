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
  if(Library STREQUAL "-")
    continue()
  endif()
  file(GLOB Sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${Folder}/*.cpp)
  add_library(${Library} STATIC ${Sources})
  foreach(Room IN LISTS Row)
    target_link_libraries(${Library} PUBLIC ${LibraryOf_${Room}})
  endforeach()
  target_link_libraries(${Library} PUBLIC LLVM)
  if(Folder MATCHES "^(analysis|transforms)")
    list(APPEND UNRAVEL_LIBRARIES ${Library})
  endif()
endforeach()
