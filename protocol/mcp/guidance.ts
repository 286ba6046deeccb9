import type { Operation } from '#src/core/operation.ts'
import type { Prompt } from './prompts.ts'

/** What a guide may speak of. */
export interface GuideFacts {
  name: string
  publicUrl: string
  /** The path of this door. */
  path: string
  catalog: readonly Operation[]
}

/** All that a door says of itself: one value, chosen where it is opened. */
export interface Guidance {
  /** What a model is told when its host connects. */
  instructions: string
  /** What stands behind `abode://skill`. */
  skill: {
    description: string
    /** Markdown; asked for once. */
    text(): string | Promise<string>
  }
  /** For people who choose one in their host. */
  prompts: readonly Prompt[]
}
