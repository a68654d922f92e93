# The scripts and styles of the page, in the order in which they are joined, and the header made of them.
set(page_scripts
    numbers.js words.js data.js state.js cube.js elements.js redraw.js scales.js palette.js theme.js tooltip.js files.js filters.js
    linked.js systems.js answer.js answer_chart.js heat.js heat_cells.js breakdown.js breakdown_bars.js scatter.js scatter_plot.js scatter_input.js table.js best.js
    sensitivity.js rejections.js lines.js machines.js load.js spread.js parallel.js comparison.js comparison_map.js measured.js measured_chart.js frame.js main.js)
set(page_styles colours.css layout.css controls.css drawings.css print.css)
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
