import type { CollectionDefinition, Documents } from '#src/collections.ts'

type OfChat = Extract<keyof Documents, 'chats' | 'push_targets'>

/** The collections of conversations with hosted agents. */
export const ofChat: { readonly [N in OfChat]: CollectionDefinition } = {
  chats: {
    hidden: [],
    indexes: [
      { on: { caller: 1, char_id: 1, id: -1 } },
      { on: { context_id: 1, id: -1 } },
      { on: { char_id: 1, id: -1 } },
    ],
  },
  push_targets: {
    hidden: ['sealed'],
    indexes: [
      { on: { chat_id: 1, config_id: 1 } },
      { on: { char_id: 1 } },
      { on: { expires_at: 1 }, sparse: 'expires_at' },
    ],
  },
}
