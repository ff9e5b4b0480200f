import IconHelpCircle from '@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs'
import { lazyPage } from '#web/shell/lazy.tsx'
import { onlyProductOne, type MenuParent } from '#web/shell/menu.ts'
import type { Page } from '#web/shell/page.ts'

const list = () => import('#features/cms/articles/faqs/web/FaqsPage.tsx')
const form = () => import('#features/cms/articles/faqs/web/FaqForm.tsx')
const categories = () => import('#features/cms/articles/categories/web/CategoriesPage.tsx')

const faq: MenuParent = {
  group: 'CMS',
  label: 'FAQ',
  icon: IconHelpCircle,
  needs: 'faq_view',
  products: onlyProductOne,
}

export const faqPages: readonly Page[] = [
  {
    path: '/faqs/new-faq',
    name: 'New FAQ',
    menu: { under: faq, needs: 'new_faq_list' },
    component: lazyPage(form, 'NewFaqPage'),
  },
  {
    path: '/faqs',
    name: 'FAQs',
    menu: { under: faq, label: 'All FAQs', needs: 'all_faq_list' },
    component: lazyPage(list, 'FaqsPage'),
    prepare: async () => (await list()).prepareFaqs,
  },
  {
    path: '/faqcategories',
    name: 'FAQ categories',
    menu: { under: faq },
    component: lazyPage(categories, 'FaqCategoriesPage'),
    prepare: async () => (await categories()).prepareFaqCategories,
  },
  {
    path: '/faqcategories/$category/posts',
    name: 'FAQs by category',
    component: lazyPage(list, 'CategoryFaqsPage'),
  },
  { path: '/faqs/update-faq/$FAQ', name: 'Edit FAQ', component: lazyPage(form, 'EditFaqPage') },
  {
    path: '/faqs/$FAQ',
    name: 'FAQ',
    component: lazyPage(() => import('#features/cms/articles/faqs/web/FaqPage.tsx'), 'FaqPage'),
  },
]
