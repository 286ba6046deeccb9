/** How much room is left: enough, little, or none. */
export type Room = 'ok' | 'low' | 'full'

/** The room on the storage of the store, as measured seconds ago. */
export interface Space {
  readonly room: Room
  /** Called when a write has failed for lack of room. */
  noteFull(): void
  close(): void
}

/** For storage whose room cannot be measured: there is always enough. */
export const endlessSpace: Space = {
  room: 'ok',
  noteFull: () => undefined,
  close: () => undefined,
}
