import IconNews from '@tabler/icons-react/dist/esm/icons/IconNews.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import { blogProducts, type MenuParent } from '#web/shell/menu.ts'
import type { Page } from '#web/shell/page.ts'

const list = () => import('#features/cms/articles/posts/web/PostsPage.tsx')
const form = () => import('#features/cms/articles/posts/web/PostForm.tsx')

const blog: MenuParent = {
  group: 'CMS',
  label: 'Blog',
  icon: IconNews,
  needs: 'blog_view',
  products: blogProducts,
}

export const blogPages: readonly Page[] = [
  {
    path: '/posts',
    searches: async () => [(await import('#features/cms/articles/posts/web/search.ts')).postSearch],
    name: 'Posts',
    menu: { under: blog, label: 'All posts', needs: 'post_view' },
    component: lazyPage(list, 'PostsPage'),
    prepare: async () => (await list()).preparePosts,
  },
  {
    path: '/categories',
    name: 'Categories',
    menu: { under: blog, needs: 'categories_list' },
    component: lazyPage(
      () => import('#features/cms/articles/categories/web/CategoriesPage.tsx'),
      'CategoriesPage',
    ),
  },
  {
    path: '/posts/new-post',
    name: 'New post',
    menu: { under: blog, needs: 'new_post_list' },
    component: lazyPage(form, 'NewPostPage'),
  },
  {
    path: '/posts/unpublished',
    name: 'Unpublished posts',
    menu: { under: blog, needs: 'unpublished_post_list' },
    component: lazyPage(list, 'UnpublishedPostsPage'),
    prepare: async () => (await list()).prepareUnpublished,
  },
  { path: '/posts/update-post/$post', name: 'Edit post', component: lazyPage(form, 'EditPostPage') },
  {
    path: '/posts/$post',
    name: 'Post',
    component: lazyPage(() => import('#features/cms/articles/posts/web/PostPage.tsx'), 'PostPage'),
  },
  {
    path: '/categories/$category/posts',
    name: 'Posts by category',
    component: lazyPage(list, 'CategoryPostsPage'),
  },
  {
    path: '/tags',
    name: 'Tags',
    menu: { under: blog },
    component: lazyPage(() => import('#features/cms/articles/tags/web/TagsPage.tsx'), 'TagsPage'),
  },
  { path: '/tags/$tag/posts', name: 'Posts by tag', component: lazyPage(list, 'TagPostsPage') },
  { path: '/users/$user/posts', name: 'Posts by author', component: lazyPage(list, 'AuthorPostsPage') },
]
