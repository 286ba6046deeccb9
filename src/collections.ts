import type { CollectionDefinition, Documents } from '#src/ports/documents.ts'
import { accountCollections } from './accounts/collections.ts'
import { factorCollections } from './accounts/factor/collections.ts'
import { hostCollections } from './accounts/hosts/collections.ts'
import { mailCollections } from './accounts/mail/collections.ts'
import { memberCollections } from './accounts/members/collections.ts'
import { passkeyCollections } from './accounts/passkeys/collections.ts'
import { peopleCollections } from './accounts/people/collections.ts'
import { agentCollections } from './agents/collections.ts'
import { commonsCollections } from './commons/collections.ts'
import { coreCollections } from './core/collections.ts'
import { eventCollections } from './events/collections.ts'
import { feedCollections } from './feed/collections.ts'
import { knowledgeCollections } from './knowledge/collections.ts'
import { moneyCollections } from './money/collections.ts'
import { runCollections } from './runs/collections.ts'

/** Every collection with its hidden members and its indexes, once; `id` is always the unique key. */
export const collections: { readonly [N in keyof Documents]: CollectionDefinition } = {
  ...accountCollections,
  ...peopleCollections,
  ...factorCollections,
  ...passkeyCollections,
  ...hostCollections,
  ...memberCollections,
  ...mailCollections,
  ...eventCollections,
  ...agentCollections,
  ...commonsCollections,
  ...feedCollections,
  ...knowledgeCollections,
  ...runCollections,
  ...moneyCollections,
  ...coreCollections,
}
