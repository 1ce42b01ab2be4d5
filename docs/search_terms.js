/* What is typed into the search box is words: `--port` is not "without port", and `error: text` names no field. */
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
  if (message && typeof message.data === "string") {
    const data = message.data.replace(/[:^~*(){}[\]`']/g, " ").replace(/(^|\s)[-+]+/g, "$1");
    message = { ...message, data };
  }
  return post.call(this, message, ...rest);
};
