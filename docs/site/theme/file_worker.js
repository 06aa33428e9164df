// Browsers start no worker from file://, and the search of the site is one. There, its script runs in
// a hidden frame instead, and messages go to and fro as they would between a page and a worker.

if (location.protocol === "file:")
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = (this.frame = document.createElement("iframe"));
      frame.hidden = true;
      frame.title = "search";
      this.inside = new Promise((resolve) => {
        frame.onload = () => {
          const inside = frame.contentWindow;
          inside.postMessage = (data) => this.tell(data);
          const script = inside.document.createElement("script");
          script.src = new URL(url, location.href);
          script.onload = () => resolve(inside);
          inside.document.body.append(script);
        };
      });
      frame.srcdoc = "<!doctype html><body></body>";
      document.documentElement.append(frame);
    }

    tell(data) {
      const event = new MessageEvent("message", { data: structuredClone(data) });
      this.dispatchEvent(event);
      this.onmessage?.(event);
    }

    postMessage(message) {
      const data = structuredClone(message);
      this.inside.then((inside) => inside.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };
