import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

const list = () => import('#features/cms/articles/posts/web/PostsPage.tsx')
const form = () => import('#features/cms/articles/posts/web/PostForm.tsx')

export const blogPages: readonly Page[] = [
  {
    path: '/posts',
    searches: async () => [(await import('#features/cms/articles/posts/web/search.ts')).postSearch],
    name: 'Posts',
    component: lazyPage(list, 'PostsPage'),
    prepare: async () => (await list()).preparePosts,
  },
  {
    path: '/posts/unpublished',
    name: 'Unpublished posts',
    component: lazyPage(list, 'UnpublishedPostsPage'),
    prepare: async () => (await list()).prepareUnpublished,
  },
  { path: '/posts/new-post', name: 'New post', component: lazyPage(form, 'NewPostPage') },
  { path: '/posts/update-post/$post', name: 'Edit post', component: lazyPage(form, 'EditPostPage') },
  {
    path: '/posts/$post',
    name: 'Post',
    component: lazyPage(() => import('#features/cms/articles/posts/web/PostPage.tsx'), 'PostPage'),
  },
  {
    path: '/categories',
    name: 'Categories',
    component: lazyPage(
      () => import('#features/cms/articles/categories/web/CategoriesPage.tsx'),
      'CategoriesPage',
    ),
  },
  {
    path: '/categories/$category/posts',
    name: 'Posts by category',
    component: lazyPage(list, 'CategoryPostsPage'),
  },
  {
    path: '/tags',
    name: 'Tags',
    component: lazyPage(() => import('#features/cms/articles/tags/web/TagsPage.tsx'), 'TagsPage'),
  },
  { path: '/tags/$tag/posts', name: 'Posts by tag', component: lazyPage(list, 'TagPostsPage') },
  { path: '/users/$user/posts', name: 'Posts by author', component: lazyPage(list, 'AuthorPostsPage') },
  {
    path: '/comments',
    name: 'Latest comments',
    component: lazyPage(() => import('#features/cms/articles/comments/web/CommentsPage.tsx'), 'CommentsPage'),
  },
  {
    path: '/media',
    name: 'Media',
    component: lazyPage(() => import('#features/cms/articles/media/web/MediaPage.tsx'), 'MediaPage'),
  },
  {
    path: '/meta-tag-setting',
    name: 'Meta tags',
    component: lazyPage(
      () => import('#features/cms/articles/meta-tags/web/MetaTagsPage.tsx'),
      'MetaTagsPage',
    ),
  },
]
