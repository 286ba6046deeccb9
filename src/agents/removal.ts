import type { StoredCharacter } from './character.ts'
import type { Write } from '#src/ports/store.ts'

/** What is deleted with agents: the writes of one commit, and what to do after it. */
export interface Removal {
  writes: Write[]
  /** The bytes that the agents and everything deleted with them counted, less the records of them that stay. */
  bytes: number
  /** Cancels active runs and forgets the keys. A run that this misses ends when it is next checked. */
  finish(): Promise<void>
}

declare module '#src/core/context.ts' {
  interface Ports {
    /**
     * Deletes agents, their tasks, friendships, secrets, memory, posts and revisions, and revokes the keys
     * that act as them. What they wrote in the Commons stays there.
     */
    removalOf: (ports: Ports, characters: readonly StoredCharacter[]) => Promise<Removal>
  }
}
