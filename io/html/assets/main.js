/// Starts when the page is read: data are decoded, sections drawn.
document.documentElement.dataset.ready = "1";
