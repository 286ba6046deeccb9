import * as z from 'zod'

const name = z.string().max(500).nullish()

/** A part of a message: text, JSON, or a file with its bytes or its address. */
export const Part = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ data: z.json() }),
  z.strictObject({
    file: z.strictObject({
      name,
      media_type: z.string().max(200).nullish(),
      base64: z.string().nullish().describe('The bytes; or else url.'),
      url: z.string().max(2000).nullish(),
    }),
  }),
])
/** A part of a message. */
export type Part = z.infer<typeof Part>

type SentFile = Extract<Part, { file: unknown }>['file']

/** The content of a message. */
export interface Said {
  /** The task that it names, if any. */
  taskId: string | undefined
  /** The input of its run. */
  input: unknown
}

/**
 * A message as the input of a run: text alone is a text and JSON alone is that JSON, as if the task were
 * run by hand. Anything else is an object with those present of `text`, `data` (a list if there are
 * several) and `files`. A data part may name a task, which is then removed from it.
 */
export function saidIn(parts: readonly Part[]): Said {
  const words: string[] = []
  const data: unknown[] = []
  const files: object[] = []
  let taskId: string | undefined
  for (const part of parts) {
    if ('text' in part) words.push(part.text)
    else if ('file' in part) files.push(fileOf(part.file))
    else {
      const { named, rest } = withoutTask(part.data)
      taskId ??= named
      if (rest !== undefined) data.push(rest)
    }
  }
  const text = words.length > 0 ? words.join('\n') : undefined
  return { taskId, input: inputOf(text, data, files) }
}

function inputOf(text: string | undefined, data: readonly unknown[], files: object[]): unknown {
  if (files.length === 0 && data.length === 0) return text ?? null
  const [first, ...more] = data
  if (files.length === 0 && text === undefined && more.length === 0) return first
  return {
    ...(text !== undefined && { text }),
    ...(data.length > 0 && { data: more.length === 0 ? first : data }),
    ...(files.length > 0 && { files }),
  }
}

/** The task that JSON names, and its other members; `rest` is absent if there are none. */
function withoutTask(data: unknown): { named?: string; rest?: unknown } {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return { rest: data }
  const { task_id: named, ...rest } = data as Record<string, unknown>
  if (typeof named !== 'string') return { rest: data }
  return { named, ...(Object.keys(rest).length > 0 && { rest }) }
}

const isText = /^(?:text\/|application\/(?:[\w.-]+\+)?json(?:;|$))/i

/** A file as a task reads it: its text if it has one, otherwise its bytes or its address. */
function fileOf({ name = null, media_type = null, base64, url }: SentFile): object {
  const about = { name, media_type }
  if (typeof base64 !== 'string') return { ...about, url: url ?? null }
  const words = isText.test(media_type ?? '') ? wordsIn(base64) : undefined
  return words === undefined ? { ...about, base64 } : { ...about, text: words }
}

function wordsIn(base64: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
  } catch {
    return undefined
  }
}
