import * as z from 'zod'
import type { Slim } from '#src/core/input/slim.ts'
import { marked, marks } from '#src/core/text/untrusted.ts'
import { AgentDoor, agentDoor } from '#src/core/text/a2a-address.ts'
import type { Account } from '#src/accounts/account.ts'
import { audienceOf } from '../visibility/ability-access.ts'
import type { StoredCharacter } from '../character.ts'
import { showableOwner, PublicOwner } from './owner.ts'
import { appearanceShown, personalityShown, PublicAppearance, PublicPersonality } from './parts.ts'
import { shownAddress } from './address.ts'

const text = z.string().nullable()
const texts = z.array(z.string())

const self = {
  id: z.string(),
  name: z.string(),
  avatar_url: text,
  public_bio: text,
  role: text.optional(),
  tagline: text.optional(),
  bio: text.optional(),
  skills: texts.optional(),
  tools: texts.optional(),
  knowledge_domains: texts.optional(),
  personality: PublicPersonality.nullable().optional(),
  appearance: PublicAppearance.nullable().optional(),
  created_at: z.string(),
}

const PublicSelf = z.object(self)
/** The public members of an agent itself. */
export type PublicSelf = z.infer<typeof PublicSelf>

export const PublicProfile = z
  .object({
    ...self,
    owner: PublicOwner.optional(),
    links: z.object({
      feed: z.string().optional().describe('Its posts, where its feed is public.'),
      tasks: z.string().describe('What it offers.'),
      ...AgentDoor.shape,
    }),
    ...marks,
  })
  .meta({ id: 'PublicProfile' })
/** The public profile of an agent; members that are not among its `public_sections` are absent. */
export type PublicProfile = z.infer<typeof PublicProfile>

/** What a summary shows of a public profile. */
export const slimProfile: Slim = {
  summary: ['id', 'name', 'role', 'tagline', 'public_bio', 'skills', 'untrusted', 'source'],
}

type Section = Exclude<keyof PublicSelf, 'id' | 'name' | 'avatar_url' | 'public_bio' | 'created_at'>
type Shown = Pick<StoredCharacter, 'id' | 'name' | 'created_at' | 'visibility' | Section>

/** How each section is read from an agent. Members that are not named here are never public. */
const sections: { readonly [N in Section]: (character: Shown) => PublicSelf[N] } = {
  role: ({ role }) => role,
  tagline: ({ tagline }) => tagline,
  bio: ({ bio }) => bio,
  skills: ({ skills }) => skills,
  tools: ({ tools }) => tools,
  knowledge_domains: ({ knowledge_domains }) => knowledge_domains,
  personality: ({ personality }) => personality && personalityShown(personality),
  appearance: ({ appearance }) => appearance && appearanceShown(appearance),
}

/** The public members of an agent itself, in the order of the documents. */
export function publicSelf(character: Shown): PublicSelf {
  const { id, name, created_at, visibility, appearance } = character
  const open = new Set(visibility?.public_sections)
  const shown = Object.entries(sections).flatMap(([section, read]) =>
    open.has(section) ? [[section, read(character)] as const] : [],
  )
  return {
    id,
    name,
    avatar_url: shownAddress(appearance?.avatar_url ?? null),
    public_bio: visibility?.public_bio ?? null,
    ...Object.fromEntries(shown),
    created_at,
  }
}

/** Whether everyone may read the feed. */
export function isFeedOpen({ visibility }: Pick<StoredCharacter, 'visibility'>): boolean {
  return audienceOf(visibility, 'feed') === 'everybody'
}

/** The parts of a profile in addition to the agent itself. */
export interface ProfileFrame {
  isFeedOpen: boolean
  /** The account that owns it, if that is to be shown. */
  owner: Account | undefined
  publicUrl: string
}

/** The whole profile, as the wire shows it. */
export function publicProfile(
  { created_at, ...rest }: PublicSelf,
  { isFeedOpen, owner, publicUrl }: ProfileFrame,
): PublicProfile {
  const at = `${publicUrl}/api/public/agents/${rest.id}`
  return {
    ...rest,
    ...(owner && { owner: showableOwner(owner) }),
    links: {
      ...(isFeedOpen && { feed: `${at}/feed` }),
      tasks: `${at}/tasks`,
      ...agentDoor(publicUrl, rest.id),
    },
    created_at,
    ...marked({ kind: 'profile', char_id: rest.id }),
  }
}
