import IconTag from '@tabler/icons-react/dist/esm/icons/IconTag.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import { onlyProductOne } from '#web/shell/menu.ts'
import type { Page } from '#web/shell/page.ts'

export const metaTagPages: readonly Page[] = [
  {
    path: '/meta-tag-setting',
    name: 'Meta tags',
    menu: { group: 'CMS', icon: IconTag, needs: 'tag_setting_list', products: onlyProductOne },
    component: lazyPage(
      () => import('#features/cms/articles/meta-tags/web/MetaTagsPage.tsx'),
      'MetaTagsPage',
    ),
  },
]
