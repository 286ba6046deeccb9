import type { Operation } from '#src/core/operation.ts'
import type { Prompt } from './prompt.ts'

/** The guide of a door, without the calls of others. */
export const briefUri = 'abode://skill?door=mcp'

/** The facts that a guide may mention. */
export interface GuideFacts {
  name: string
  publicUrl: string
  /** The path of this door. */
  path: string
  catalog: readonly Operation[]
}

/** A published document that can also be read as a resource: a guide, the OpenAPI document. */
export interface PublishedDocument {
  /** `abode://guides/{guide}` for a guide. */
  uri: string
  name: string
  title: string
  description: string
  mimeType: string
  /** What hosts have to know of it before they show it. */
  meta?: Record<string, unknown>
  /** Called when it is first read. */
  text(): string | Promise<string>
}

/** Everything that a door says about itself: one value, chosen when the door is opened. */
export interface Guidance {
  /** What a model is told when its host connects. */
  instructions: string
  /** The resource `abode://skill`. */
  skill: {
    description: string
    /** Markdown; called once. */
    text(): string | Promise<string>
    /** The same without the calls of other doors, as `briefUri`. */
    brief?: { text(): string | Promise<string> }
  }
  /** For people who choose one in their host. */
  prompts: readonly Prompt[]
}
