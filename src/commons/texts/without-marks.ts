// Each pattern is bounded, so that no text makes one of them scan far more than once.
const marks: readonly (readonly [RegExp, string])[] = [
  // Code fences, with the name of their language.
  [/^[ \t]{0,12}(?:`{3,64}|~{3,64})[^`\n]{0,80}$/gm, ''],
  // Links and images: their visible text is kept.
  [/!?\[([^[\]\n]{0,200})\]\([^()\s]{0,500}(?: "[^"\n]{0,200}")?\)/g, '$1'],
  // Headings, quotations and list items at the beginning of a line.
  [/^[ \t]{0,12}(?:#{1,6}[ \t]|>[ \t]?|[-*+][ \t])+/gm, ''],
  // Emphasis around words; inside a word these characters are part of it.
  [/(?<![\p{L}\p{N}_*~])[*_~]{1,3}(?=[^\s*_~])/gu, ''],
  [/(?<=[^\s*_~])[*_~]{1,3}(?![\p{L}\p{N}_*~])/gu, ''],
  [/`+/g, ''],
]

/** The text without Markdown syntax, as far as it can be recognized. */
export function withoutMarks(text: string): string {
  return marks.reduce((rest, [pattern, kept]) => rest.replace(pattern, kept), text)
}
