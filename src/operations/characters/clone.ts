import * as z from 'zod'
import { mayActFor, noReach, type Reach } from '#src/agents/access.ts'
import { Character } from '#src/agents/character.ts'
import { characterMade } from '#src/agents/create.ts'
import { CharacterId, PlainName } from '#src/agents/name.ts'
import { revisionIn } from '#src/agents/wire.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { Warning } from '#src/core/schema.ts'
import { agentTexts } from '#src/agents/view.ts'
import { makingWith, mediaMade } from '#src/agents/imports/with-media.ts'
import { copiedPhotos } from '#src/agents/media/copy-photos.ts'
import type { Row, Write } from '#src/ports/store.ts'

export const clone = operation({
  name: 'characters.clone',
  summary: 'Copy one of your agents, or one of another account that allows cloning.',
  description:
    "Never with secrets, keys, friends, memory, knowledge or posts. A copy of another account's " +
    'agent is private, without its channels, and its triggers are off: warnings say what was ' +
    'left out.',
  example: { char_id: 'ada', name: 'Ada the Second' },
  auth: 'key',
  http: { method: 'POST', path: '/api/characters/{char_id}/clone' },
  toolsets: ['agents'],
  input: z.strictObject({
    char_id: z.string().max(128),
    id: CharacterId.optional().describe('The id of the copy; otherwise made from its name'),
    name: PlainName.optional().describe('The name of the copy; otherwise that of the original'),
  }),
  output: Character.extend({ warnings: z.array(Warning).optional() }),
  refuses: [
    'character_not_found',
    'forbidden',
    'character_id_taken',
    'id_reserved',
    'write_conflict',
  ],
  quota: 'agents',
  untrusted: true,

  run({ char_id, id = null, name = null }, context) {
    return retryUnmet(async () => {
      const { row, isOwner } = await clonable(context, char_id)
      const texts = await agentTexts(context, row)
      const { accountId } = context.caller
      const terms = { id, name, isOwner }
      const { input, more, warnings } = await context.copyist.copied(texts, terms, accountId)
      const from = { id: char_id, appearance: input.appearance }
      const to = { charId: input.id ?? '', ownerId: accountId }
      const { appearance, kept } = await copiedPhotos(context, from, to)
      const media = mediaMade(kept)
      const writes = [...media.writes, ...(isOwner ? [] : [unchanged(row)])]
      return makingWith(context, kept, () =>
        characterMade(context, { ...input, appearance }, { ...media, more, writes, warnings }),
      )
    })
  },
})

/**
 * The stored text of an agent that the caller may copy: the rule is part of the filter.
 * @throws Refusal `character_not_found`, `forbidden`
 */
async function clonable(reach: Reach, id: string): Promise<{ row: Row; isOwner: boolean }> {
  const { caller, store } = reach
  const own = { id, owner_id: caller.accountId }
  const [mine] = mayActFor(caller, id) ? await store.characters.text(own, { limit: 1 }) : []
  if (mine) return { row: mine, isOwner: true }
  const open = {
    id,
    'visibility.allow_cloning': true,
    'visibility.profile_visibility': { $in: ['public', 'unlisted'] },
  }
  const [theirs] = await store.characters.text(open, { limit: 1 })
  return theirs ? { row: theirs, isOwner: false } : noReach(reach, id)
}

/** Refuses the copy if the permission was withdrawn meanwhile. */
function unchanged(row: Row): Write {
  const revision = revisionIn(row)
  return { in: 'characters', update: { id: row.id, revision }, change: { $set: { revision } } }
}
