import * as z from 'zod'

/** Formats of imported files; also the names under which members without a place are kept. */
export const importFormats = [
  'abode',
  'chara_card_v1',
  'chara_card_v2',
  'chara_card_v3',
  'elizaos',
  'a2a_agent_card',
] as const
/** The name of a format. */
export type ImportFormat = (typeof importFormats)[number]

export const ImportReport = z
  .object({
    format: z.enum(importFormats),
    mapped: z
      .array(z.object({ from: z.string(), to: z.string() }))
      .describe('Pointers into the file and into the agent'),
    kept_as_extension: z
      .array(z.string())
      .describe('Pointers into the file: kept at the same place below /extensions/<format>'),
    dropped: z.array(z.object({ pointer: z.string(), reason: z.string() })),
    notes: z
      .array(z.object({ pointer: z.string(), message: z.string() }))
      .describe('What was changed on the way'),
  })
  .meta({ id: 'ImportReport' })
/** What became of each part of an imported file. */
export type ImportReport = z.infer<typeof ImportReport>

/** A file with 200,000 unusable members must not get an equally long report. */
const entriesAtMost = 500
const pointerCharactersAtMost = 300

/** Collects what becomes of each part of a file, by pointer, up to 500 entries per list. */
export class Report {
  readonly #lists = {
    mapped: new Map<string, { from: string; to: string }>(),
    kept_as_extension: new Map<string, string>(),
    dropped: new Map<string, { pointer: string; reason: string }>(),
    notes: new Map<string, { pointer: string; message: string }>(),
  }

  /** A part of the file was imported, as a whole or within a longer text. */
  map(from: string, to: string): void {
    add(this.#lists.mapped, `${from} ${to}`, { from: shortened(from), to: shortened(to) })
  }

  keep(pointer: string): void {
    add(this.#lists.kept_as_extension, pointer, shortened(pointer))
  }

  /** @param reason a fixed text: never a word of what was dropped */
  drop(pointer: string, reason: string): void {
    add(this.#lists.dropped, `${pointer} ${reason}`, { pointer: shortened(pointer), reason })
  }

  note(pointer: string, message: string): void {
    add(this.#lists.notes, `${pointer} ${message}`, { pointer: shortened(pointer), message })
  }

  /** The report as shown. */
  of(format: ImportFormat): ImportReport {
    const { mapped, kept_as_extension, dropped, notes } = this.#lists
    return {
      format,
      mapped: [...mapped.values()],
      kept_as_extension: [...kept_as_extension.values()],
      dropped: [...dropped.values()],
      notes: [...notes.values()],
    }
  }
}

function add<T>(list: Map<string, T>, key: string, entry: T): void {
  if (list.size < entriesAtMost) list.set(key, entry)
}

function shortened(pointer: string): string {
  if (pointer.length <= pointerCharactersAtMost) return pointer
  return `${pointer.slice(0, pointerCharactersAtMost).toWellFormed()}…`
}
