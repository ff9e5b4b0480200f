import { lazyPage } from '#web/shell/lazy.tsx'
import type { Page } from '#web/shell/page.ts'

const list = () => import('#features/cms/articles/faqs/web/FaqsPage.tsx')
const form = () => import('#features/cms/articles/faqs/web/FaqForm.tsx')
const categories = () => import('#features/cms/articles/faq-categories/web/FaqCategoriesPage.tsx')

export const faqPages: readonly Page[] = [
  {
    path: '/faqcategories',
    name: 'FAQ categories',
    component: lazyPage(categories, 'FaqCategoriesPage'),
    prepare: async () => (await categories()).prepareFaqCategories,
  },
  {
    path: '/faqcategories/$category/posts',
    name: 'FAQs by category',
    component: lazyPage(list, 'CategoryFaqsPage'),
  },
  {
    path: '/faqs',
    name: 'FAQs',
    component: lazyPage(list, 'FaqsPage'),
    prepare: async () => (await list()).prepareFaqs,
  },
  { path: '/faqs/new-faq', name: 'New FAQ', component: lazyPage(form, 'NewFaqPage') },
  { path: '/faqs/update-faq/$FAQ', name: 'Edit FAQ', component: lazyPage(form, 'EditFaqPage') },
  {
    path: '/faqs/$FAQ',
    name: 'FAQ',
    component: lazyPage(() => import('#features/cms/articles/faqs/web/FaqPage.tsx'), 'FaqPage'),
  },
]
