import type { CharacterInput } from '../character.ts'
import type { Warning } from '#src/core/schema.ts'
import type { ImportReport } from '../imports/report.ts'

/** An agent that is about to be created from a file. */
export interface Draft {
  /** Its id is null if the file has no valid one. */
  input: CharacterInput
  /** Further members of it that are large, as the inside of a JSON object. */
  more: string | null
  report: ImportReport
  warnings: Warning[]
  /** The picture in the file, unchanged. */
  picture: Uint8Array<ArrayBuffer> | null
}

/** An agent as it is stored. */
export interface AgentTexts {
  /** The JSON of the agent, without its tasks. */
  agent: string
  /** That of the agent; its JSON does not have it. */
  friends_private?: true
  /** The JSON of each of its tasks, in order. */
  tasks: readonly string[]
}

/** An agent that is about to be created from another one. */
export interface Copy {
  input: CharacterInput
  /** Further members of it that are large, as the inside of a JSON object. */
  more: string | null
  warnings: Warning[]
}

/** For whom an agent is copied, and under which id and name. */
export interface CopyTerms {
  /** The id of the copy; null for one made from its name. */
  id: string | null
  /** Its name; null for that of the original. */
  name: string | null
  /** The caller owns the original, and may have all of it except secrets. */
  isOwner: boolean
}

/**
 * Reads, writes and copies agents that may be large, away from the event loop, within bounds of time and memory.
 * Accounts take turns; when too many large agents wait, a call is refused with `unavailable`.
 */
export interface Copyist {
  /**
   * The agent that a file describes.
   * @throws Refusal `import_unreadable`, `too_deep`, `payload_too_large`, `invalid_input`, `unavailable`
   */
  read(file: Uint8Array, accountId: string): Promise<Draft>
  /** The JSON of an export. @throws Refusal `unavailable` */
  exported(texts: AgentTexts, accountId: string): Promise<string>
  /** Another agent like this one. @throws Refusal `unavailable` */
  copied(texts: AgentTexts, terms: CopyTerms, accountId: string): Promise<Copy>
  /** Aborts the work in progress. */
  close(): Promise<void>
}

declare module '#src/core/context.ts' {
  interface Ports {
    /** Reads, writes and copies whole agents. */
    copyist: Copyist
  }
}
