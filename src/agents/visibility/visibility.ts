import * as z from 'zod'
import { optionalText, texts } from '#src/core/schema-parts.ts'

const level = z.string().default('private')

export const AbilityAccess = z
  .looseObject({
    feed: level,
    chat: level,
    // Filled in when it is stored: who may ask for friendship depends on whether it was set.
    friends: z
      .string()
      .optional()
      .meta({ default: 'private' })
      .describe('Who reads its friends and, once set, who may ask for friendship'),
    memory: level,
  })
  .describe('Levels: private, members (chat only), friends, public_paid, public')
  .meta({ id: 'AbilityAccessSchema' })
/** Who may use which ability; a level that is not known acts as private. */
export type AbilityAccess = z.infer<typeof AbilityAccess>

export const Visibility = z
  .looseObject({
    profile_visibility: z.enum(['public', 'private', 'unlisted']).default('private'),
    public_sections: texts,
    public_bio: optionalText,
    show_in_directory: z.boolean().default(false),
    allow_cloning: z.boolean().default(false),
    show_owner_profile: z.boolean().default(true),
    ability_access: AbilityAccess.nullable().default(null),
  })
  .meta({ id: 'VisibilitySchema' })
/** What others may see and use of an agent. A private profile overrides every level. */
export type Visibility = z.infer<typeof Visibility>

/** Abilities of an agent that may be open to others. */
export type Ability = 'feed' | 'chat' | 'friends' | 'memory'

/** To whom an ability is open, in addition to the agent itself and its account. */
export type Audience = 'none' | 'team' | 'friends' | 'subscribers' | 'everybody'
