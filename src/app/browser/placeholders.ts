/** Addresses of the specification whose area is not built yet: each shows one page that says so (docs/spec-gaps.md). */
export const placeholders: Readonly<Record<string, readonly (readonly [path: string, name: string])[]>> = {
  Users: [
    ['/users', 'Users'],
    ['/users/banned', 'Banned users'],
    ['/users/log', 'Login log'],
    ['/users/admin-log', 'Admin user log'],
    ['/users/master', 'Master Users'],
    ['/users/master/add', 'Add a master user'],
  ],
  'Admin users': [['/admin-users', 'Admin users']],
  'The scheduling-widget setting': [['/calendly-widget-settings', 'Scheduling widget']],
  'Customer view': [['/customer-view', 'Customer view']],
  FAQ: [
    ['/faqcategories', 'FAQ categories'],
    ['/faqcategories/$category/posts', 'FAQs of a category'],
    ['/faqs', 'FAQs'],
    ['/faqs/new-faq', 'New FAQ'],
    ['/faqs/update-faq/$FAQ', 'Edit FAQ'],
    ['/faqs/$FAQ', 'FAQ'],
  ],
  'Case studies': [
    ['/case-study', 'Case studies'],
    ['/case-study/create', 'New Case study'],
    ['/case-study/edit/$slug', 'Edit Case study'],
    ['/case-study/$slug', 'Case study'],
  ],
  'User guides': [
    ['/user-guide', 'User guides'],
    ['/user-guide/create', 'New User guide'],
    ['/user-guide/edit/$slug', 'Edit User guide'],
    ['/user-guide/$slug', 'User guide'],
  ],
  Events: [
    ['/event', 'Events'],
    ['/event/create', 'New Event'],
    ['/event/edit/$slug', 'Edit Event'],
    ['/event/$slug', 'Event'],
  ],
  Brochures: [
    ['/brochure', 'Brochures'],
    ['/brochure/create', 'New Brochure'],
    ['/brochure/edit/$slug', 'Edit Brochure'],
    ['/brochure/$slug', 'Brochure'],
  ],
  Webinars: [
    ['/webinar', 'Webinars'],
    ['/webinar/create', 'New Webinar'],
    ['/webinar/edit/$slug', 'Edit Webinar'],
    ['/webinar/$slug', 'Webinar'],
  ],
  'Terms & conditions': [
    ['/term&conditions', 'Terms & conditions'],
    ['/term&conditions/new-terms', 'New terms'],
    ['/term&conditions/$term', 'Terms'],
  ],
}
