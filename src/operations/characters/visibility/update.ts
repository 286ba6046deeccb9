import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { ownCharacter } from '#src/agents/access.ts'
import { AgentDoor, agentDoor } from '#src/core/text/a2a-address.ts'
import { CharacterInput } from '#src/agents/character.ts'
import { freeMaps } from '#src/core/schema-parts.ts'
import { replacement } from '#src/agents/replace.ts'
import { asSet } from '#src/agents/visibility/friends-level.ts'
import { Visibility } from '#src/agents/visibility/visibility.ts'
import { shapeOf, unknownMembers } from '#src/core/input/unknown-members.ts'
import { parsed, refuseUnknown } from '#src/core/input/validate.ts'
import { merge } from '#src/core/merge.ts'
import { operation } from '#src/core/operation.ts'
import { mustBe, retryUnmet } from '#src/core/revision.ts'
import { mergedDocument, Warning, withWarnings } from '#src/core/schema.ts'
import { tasksOf } from '#src/agents/tasks/tasks-of.ts'

const member = '/visibility'
const shape = shapeOf(Visibility)

export const update = operation({
  name: 'characters.visibility.update',
  summary: 'Change what others may see and use of an agent: what is sent is merged.',
  description:
    'public_sections opens members of the profile; ability_access opens feed, chat, friends and ' +
    'memory; a private profile closes all. The directory lists public profiles with ' +
    'show_in_directory. links, the A2A door of the agent, is only read: sent back, it is ignored.',
  use: 'To make an agent public or private, list it in the directory, or open its chat to others.',
  aliases: ['publish', 'publish agent', 'make public', 'make private', 'open chat'],
  example: {
    char_id: 'ada',
    visibility: { profile_visibility: 'public', ability_access: { chat: 'public' } },
  },
  auth: 'key',
  oauthScope: 'admin',
  http: { method: 'PUT', path: '/api/characters/{char_id}/visibility' },
  toolsets: ['core', 'agents'],
  input: z.strictObject({ char_id: z.string().max(128), visibility: mergedDocument(Visibility) }),
  document: 'visibility',
  output: Visibility.extend({ links: AgentDoor, warnings: z.array(Warning).optional() }),
  refuses: ['character_not_found', 'forbidden', 'revision_mismatch', 'write_conflict'],

  run({ char_id, visibility: { links: _read, ...patch } }, context) {
    refuseUnknown(unknownMembers(shape, patch, { at: member }))
    return retryUnmet(async () => {
      const kept = await ownCharacter(context, char_id)
      mustBe(kept.revision, context.expected)
      const tasks = await tasksOf(context, [char_id])
      const before = asSet(kept, kept.friends_private).visibility
      const next = parsed(Visibility, merge(before, patch, freeMaps), member)
      const input = parsed(CharacterInput, { ...kept, visibility: next }, '/character')
      const made = await replacement(context, { kept, tasks }, input, { tasksKept: true })
      // Nothing else of the agent was sent, and nothing else is shown.
      const warnings = made.warnings.flatMap(({ pointer = '', ...warning }) =>
        pointer.startsWith(`${member}/`)
          ? [{ ...warning, pointer: pointer.slice(member.length) }]
          : [],
      )
      const shown = {
        ...(made.after.visibility ?? next),
        links: agentDoor(context.settings.publicUrl, char_id),
      }
      const answer = withWarnings(shown, warnings)
      const changed = changedOf(before, next)
      const operation = 'characters.visibility.update'
      const note = changed.length > 0 ? { operation, about: { char_id }, changed } : undefined
      return commitAudited(context, answer, made.writes, note, made.options)
    })
  },
})

/** The members that are others now than before. */
function changedOf(before: unknown, next: Visibility): string[] {
  const kept: Record<string, unknown> = { ...parsed(Visibility, before ?? {}, member) }
  const given = Object.entries(next)
  return given.flatMap(([name, value]) => (isDeepStrictEqual(value, kept[name]) ? [] : [name]))
}
