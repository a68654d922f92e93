/// Light or dark: as the system says until the reader chooses; paper is light.

const darkSystem = matchMedia("(prefers-color-scheme: dark)");

function applyTheme(theme) {
  document.documentElement.dataset.theme = theme;
  const control = document.getElementById("theme");
  if (control) control.textContent = otherTheme(theme);
}

/// What the button does.
function otherTheme(theme) {
  return theme === "dark" ? "Light theme" : "Dark theme";
}

function chosenTheme() {
  return option("page.theme", ["light", "dark"], darkSystem.matches ? "dark" : "light");
}

function themeButton() {
  return button(
    otherTheme(chosenTheme()),
    () => {
      state.options.set("page.theme", chosenTheme() === "dark" ? "light" : "dark");
      applyTheme(chosenTheme());
      refresh();
    },
    { id: "theme" }
  );
}

function followTheme() {
  darkSystem.addEventListener("change", () => {
    applyTheme(chosenTheme());
    refresh();
  });
  const paper = matchMedia("print");
  paper.addEventListener("change", () => {
    applyTheme(paper.matches ? "light" : chosenTheme());
    refresh();
  });
}
