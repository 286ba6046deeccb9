import * as z from 'zod'
import { Character, CharacterInput } from '#src/characters/character.ts'
import { idFromName } from '#src/characters/name.ts'
import { reservedFor } from '#src/characters/reserved.ts'
import { shownCharacter } from '#src/characters/showing.ts'
import { characterFrom } from '#src/characters/storing.ts'
import { characterWarnings } from '#src/characters/warnings.ts'
import { refuse } from '#src/core/errors.ts'
import { randomSuffix } from '#src/core/ids.ts'
import { operation } from '#src/core/operation.ts'
import { sizeOf } from '#src/core/quotas.ts'
import { Warning, withWarnings } from '#src/core/schema.ts'
import { timestamp } from '#src/core/time.ts'
import { firstRevisions } from '#src/core/tombstones.ts'
import { DuplicateKey, Unmet } from '#src/ports/store.ts'
import { replacingTasks } from '#src/tasks/keeping.ts'

export const create = operation({
  name: 'characters.create',
  summary: 'Create an agent that the account owns.',
  description:
    'A name is all it needs; without an id one is made from it. Tasks in heart.tasks are created ' +
    'with it. Unknown members are kept and given back.',
  example: {
    character: { id: 'ada', name: 'Ada', role: 'Researcher', tagline: 'Reads everything' },
  },
  auth: 'key',
  http: { method: 'POST', path: '/api/characters/', status: 201 },
  toolsets: ['core', 'agents'],
  input: z.strictObject({ character: CharacterInput }),
  document: 'character',
  output: Character.extend({ warnings: z.array(Warning).optional() }),
  refuses: ['character_id_taken', 'id_reserved', 'approval_unreachable'],
  quota: 'agents',

  async run({ character: sent }, { caller, clock, commit, store, sender, sealer, quotas }) {
    const id = sent.id ?? idFromName(sent.name, randomSuffix())
    const appId = reservedFor(id)
    if (appId && (await store.apps.get(appId))) {
      return refuse('id_reserved', `Ids that begin with "${appId}--" belong to the app "${appId}".`)
    }
    const now = clock.now()
    const place = { id, ownerId: caller.accountId, appId: null, localId: null }
    const revision = (await firstRevisions(store, 'characters', [id]))(id)
    const character = characterFrom(sent, { ...place, revision, now: timestamp(now) })
    const heartbeat = sent.heart?.heartbeat_interval
    const owner = { charId: id, ownerId: caller.accountId, appId: null, heartbeat }
    const inputs = sent.heart?.tasks ?? []
    const { tasks, writes } = await replacingTasks([], inputs, owner, now, { sealer, store })
    const warnings = characterWarnings(sent, { objection: (url) => sender.objection(url) })
    const shown = withWarnings(shownCharacter(character, tasks), warnings)
    // The unique id decides the race: a read first would let two callers both pass.
    return commit(
      shown,
      [{ in: 'characters', insert: character }, quotas.counted('agents', 1, caller), ...writes],
      { revision: character.revision, bytes: sizeOf(shown) },
    ).catch((cause: unknown) => {
      if (cause instanceof Unmet && cause.in === 'usage') throw quotas.exceeded('agents', caller)
      if (!(cause instanceof DuplicateKey) || cause.in !== 'characters') throw cause
      return refuse('character_id_taken', `The id "${id}" is already in use.`, { cause })
    })
  },
})
