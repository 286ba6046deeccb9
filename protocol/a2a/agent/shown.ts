import type { Marks } from '#src/core/text/untrusted.ts'

/** An approval as shown to those who may decide it. */
export interface ApprovalShown extends Marks {
  id: string
  prompt: string
  state: string
  created_at: string
}

/** A message to an agent and its result, as chat operations show it. */
export interface ChatShown extends Marks {
  id: string
  context_id: string
  message_id: string
  run_id: string
  status: string
  reason: string | null
  /** Missing in a list without results if it is long. */
  input?: unknown
  output: unknown
  error: { code: string; message: string } | null
  artifacts: readonly ArtifactShown[]
  approval: ApprovalShown | null
  created_at: string
  started_at: string | null
  finished_at: string | null
  /** The caller is the account of the agent. */
  is_own: boolean
  is_sender: boolean
}

export interface ArtifactShown {
  name: string
  media_type?: string | null
  content?: string | null
  url?: string | null
}

/** One page of them. */
export interface ChatPage {
  items: ChatShown[]
  next_cursor: string | null
  total: number
}

/** An agent as its card shows it. */
export interface Face {
  id: string
  name: string
  description: string
  revision: number
  updated_at: string
  is_private: boolean
  /** Anyone may send it messages. */
  is_open: boolean
  tasks: readonly { task_id: string; name: string; description: string; tags: string[] }[]
}
