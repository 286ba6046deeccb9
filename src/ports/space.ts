/** What room there is for more: enough, little, or none. */
export type Room = 'ok' | 'low' | 'full'

/** The room of whatever the store is kept on, as it was found seconds ago. */
export interface Space {
  readonly room: Room
  /** A write has failed because there was none left. */
  noteFull(): void
  close(): void
}

/** Where nobody can say what room there is, and where there is always enough. */
export const endlessSpace: Space = {
  room: 'ok',
  noteFull: () => undefined,
  close: () => undefined,
}
