/// SpareObjects: one caller at a time, and nothing is made that waits.
#include "models/prepared/spare_objects.hpp"

#include <boost/test/unit_test.hpp>
#include <thread>

BOOST_AUTO_TEST_SUITE(spare_objects_test)

using namespace dfsweep;

BOOST_AUTO_TEST_CASE(what_is_given_back_is_lent_again) {
  const SpareObjects<int> spare;
  int made = 0;
  const auto make = [&] { return std::make_unique<int>(made++); };
  std::unique_ptr<int> first = spare.take(make);
  std::unique_ptr<int> second = spare.take(make);
  BOOST_TEST(made == 2);
  BOOST_TEST(*first != *second);
  spare.give_back(std::move(first));
  BOOST_TEST(*spare.take(make) == 0);
  BOOST_TEST(made == 2);
}

BOOST_AUTO_TEST_CASE(threads_never_share_an_object) {
  const SpareObjects<int> spare;
  std::atomic<int> wrong{0};
  const auto use = [&] {
    for (int i = 0; i < 20000; ++i) {
      std::unique_ptr<int> object = spare.take([] { return std::make_unique<int>(0); });
      wrong += (*object)++ != 0;
      wrong += --(*object) != 0;
      spare.give_back(std::move(object));
    }
  };
  std::thread other(use);
  use();
  other.join();
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()
