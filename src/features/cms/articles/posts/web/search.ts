import { request } from '#web/api/client.ts'
import { recordSearch } from '#web/palette/search.ts'

export const postSearch = recordSearch({
  group: 'Posts',
  needs: ['all_posts_list'],
  page: '/posts',
  list: '/posts?',
  find: async (search, signal) => {
    const { posts } = await import('#features/cms/articles/posts/contract.ts')
    return (await request(posts.list, { query: { search } }, { signal })).data
  },
  hit: ({ slug, title }) => ({ id: `post-${slug}`, label: title, detail: slug, to: `/posts/${slug}` }),
})
