// Elements. Texts of the program under test go into the page as text nodes and attributes, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

// el("a", { class: "b", onclick: f }, "text", other)
function el(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

function svg(tag, properties, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

function button(label, title, onclick, kind = "") {
  return el("button", { type: "button", class: kind, title, "aria-label": title, onclick }, label);
}

// 12345 as "12,345".
function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

// "1 step", "12 steps".
function counted(number, noun) {
  return `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;
}

// What runs once in the next frame, however often it is asked for.
function framed(work) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      work();
    });
  };
}
