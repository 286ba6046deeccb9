interface Argument {
  name: string
  description: string
  required: boolean
}

/** A prompt as MCP lists it. */
export interface PromptEntry {
  name: string
  title: string
  description: string
  arguments: readonly Argument[]
}

/** A prompt, and the function that makes its text. */
export interface Prompt {
  entry: PromptEntry
  text: (values: Readonly<Record<string, string>>) => string
}
