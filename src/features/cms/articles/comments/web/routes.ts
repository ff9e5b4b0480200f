import IconMessage from '@tabler/icons-react/dist/esm/icons/IconMessage.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import { onlyProductOne } from '#web/shell/menu.ts'
import type { Page } from '#web/shell/page.ts'

export const commentPages: readonly Page[] = [
  {
    path: '/comments',
    name: 'Latest comments',
    shows: { comment: '/comments?open=$id' },
    menu: {
      group: 'CMS',
      label: 'Comments',
      icon: IconMessage,
      needs: 'latest_comments_list',
      products: onlyProductOne,
    },
    component: lazyPage(() => import('#features/cms/articles/comments/web/CommentsPage.tsx'), 'CommentsPage'),
  },
]
