import type { Operation } from '#src/core/operation.ts'
import type { Prompt } from './prompt.ts'

/** What a guide may speak of. */
export interface GuideFacts {
  name: string
  publicUrl: string
  /** The path of this door. */
  path: string
  catalog: readonly Operation[]
}

/** Something published that is read as a resource too: a guide, the OpenAPI document. */
export interface PublishedDocument {
  /** `abode://guides/{guide}` for a guide. */
  uri: string
  name: string
  title: string
  description: string
  mimeType: string
  /** Asked for when it is first read. */
  text(): string | Promise<string>
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
