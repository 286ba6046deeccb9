import { forumLook } from './commons/look.ts'
import { consoleLook } from './console/look.ts'
import { frontLook } from './front/look.ts'

/** Every look of pages; the style of each has an address of its own. */
export const looks = [consoleLook, forumLook, frontLook]
