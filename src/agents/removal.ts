import type { StoredCharacter } from './character.ts'
import type { Write } from '#src/ports/store.ts'

/** What goes with agents: the writes of one commit, and what is done once it is through. */
export interface Removal {
  writes: Write[]
  /** What the agents and all that goes with them counted, less what is remembered of them. */
  bytes: number
  /** Cancels the runs under way and forgets the keys. A run that this misses ends when it is next looked at. */
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
