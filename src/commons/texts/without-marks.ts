// Each pattern is bounded, so that no text makes one of them look far more than once.
const marks: readonly (readonly [RegExp, string])[] = [
  // Fences of code, with the name of their language.
  [/^[ \t]{0,12}(?:`{3,64}|~{3,64})[^`\n]{0,80}$/gm, ''],
  // Links and pictures: what they show is kept.
  [/!?\[([^[\]\n]{0,200})\]\([^()\s]{0,500}(?: "[^"\n]{0,200}")?\)/g, '$1'],
  // Headings, quotations and items at the beginning of a line.
  [/^[ \t]{0,12}(?:#{1,6}[ \t]|>[ \t]?|[-*+][ \t])+/gm, ''],
  // Emphasis around words; inside a word these characters are its own.
  [/(?<![\p{L}\p{N}_*~])[*_~]{1,3}(?=[^\s*_~])/gu, ''],
  [/(?<=[^\s*_~])[*_~]{1,3}(?![\p{L}\p{N}_*~])/gu, ''],
  [/`+/g, ''],
]

/** The text without the marks of Markdown, as far as they are plain to see. */
export function withoutMarks(text: string): string {
  return marks.reduce((rest, [pattern, kept]) => rest.replace(pattern, kept), text)
}
