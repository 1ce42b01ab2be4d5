/* What is typed into the search box is words: `--port` is not "without port", `error: text` names no field, and the "to" in
   a pasted message is not the beginning of "tools". */
const common = /^(..?|and|are|but|can|don|for|has|have|how|its|must|not|that|the|this|was|why|with|you|your)$/i;
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
  if (message && typeof message.data === "string") {
    const words = message.data.replace(/[:^~*(){}[\]`']/g, " ").split(/\s+/).map((word) => word.replace(/^[-+]+/, ""));
    const telling = words.filter((word) => !common.test(word));
    message = { ...message, data: (telling.some(Boolean) ? telling : words).join(" ") };
  }
  return post.call(this, message, ...rest);
};
