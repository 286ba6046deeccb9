import type * as z from 'zod'

const lists = new WeakSet<z.core.$ZodType>()

/** Marks a list of names, none of which holds a comma: a text with commas between them can mean nothing else. */
export function namesInText<S extends z.core.$ZodType>(list: S): S {
  lists.add(list)
  return list
}

/** Whether a list may stand as such a text. */
export function isNamesInText(schema: z.core.$ZodType): boolean {
  return lists.has(schema)
}

/** The names in such a text. */
export function namesIn(text: string): string[] {
  return text.split(',').map((name) => name.trim())
}
