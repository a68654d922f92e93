# The scripts and styles of the page, in the order in which they are joined, and the header made of them.
set(page_scripts main.js)
set(page_styles colours.css)
set(page_assets ${PROJECT_SOURCE_DIR}/io/html/assets)
set(page_header ${PROJECT_BINARY_DIR}/generated/html_assets.hpp)
list(TRANSFORM page_scripts PREPEND ${page_assets}/ OUTPUT_VARIABLE page_script_files)
list(TRANSFORM page_styles PREPEND ${page_assets}/ OUTPUT_VARIABLE page_style_files)
add_custom_command(OUTPUT ${page_header}
  COMMAND ${CMAKE_COMMAND} "-DASSETS=${page_assets}" "-DSCRIPTS=${page_scripts}" "-DSTYLES=${page_styles}"
          -DOUTPUT=${page_header} -P ${PROJECT_SOURCE_DIR}/io/html/embed_assets.cmake
  DEPENDS ${page_script_files} ${page_style_files} ${PROJECT_SOURCE_DIR}/io/html/embed_assets.cmake
          ${PROJECT_SOURCE_DIR}/io/html/assets.cmake
  VERBATIM)
