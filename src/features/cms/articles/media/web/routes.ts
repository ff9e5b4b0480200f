import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import { onlyProductOne } from '#web/shell/menu.ts'
import type { Page } from '#web/shell/page.ts'

export const mediaPages: readonly Page[] = [
  {
    path: '/media',
    name: 'Media',
    menu: { group: 'CMS', icon: IconPhoto, needs: 'media_list', products: onlyProductOne },
    component: lazyPage(() => import('#features/cms/articles/media/web/MediaPage.tsx'), 'MediaPage'),
  },
]
