import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import {
  isFeedOpen,
  publicProfile,
  PublicProfile,
  publicSelf,
  slimProfile,
} from '#src/agents/public/profile.ts'
import { publicAgent } from '#src/agents/public/read.ts'

export const get = operation({
  name: 'public.agents.get',
  summary: 'Read what a public or unlisted agent shows to everyone.',
  example: { char_id: 'ada' },
  auth: 'none',
  http: { method: 'GET', path: '/api/public/agents/{char_id}' },
  toolsets: ['agents'],
  input: z.strictObject({ char_id: z.string().max(128) }),
  output: PublicProfile,
  slim: slimProfile,
  refuses: ['character_not_found'],
  untrusted: true,

  async run({ char_id }, { store, settings: { publicUrl } }) {
    const character = await publicAgent(store, char_id)
    const isShown = character.visibility?.show_owner_profile === true
    const owner = isShown ? await store.accounts.get(character.owner_id) : undefined
    const frame = { isFeedOpen: isFeedOpen(character), owner, publicUrl }
    return publicProfile(publicSelf(character), frame)
  },
})
