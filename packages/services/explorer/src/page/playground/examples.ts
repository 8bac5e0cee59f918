import { type NetworkDialect, systemNames } from "@vedette/client";

/** A program to begin from, and what it teaches. */
export interface Example {
  readonly title: string;
  readonly about: string;
  readonly source: string;
  /** The values that it sends on `return`, in any order, on a chain with nothing but its genesis. */
  readonly answers: readonly string[];
}

/** The programs with the names that contracts have on a network. */
export function examplesOn(dialect: NetworkDialect): readonly Example[] {
  const { vaults } = systemNames[dialect];
  return examples.map((one) => ({ ...one, source: one.source.replaceAll(systemNames.rnode.vaults, vaults) }));
}

/** Ten programs, each one idea further than the one before; for an rnode network. */
export const examples: readonly Example[] = [
  {
    title: "Hello",
    about: "A name, and a message sent to it. What is sent on `return` comes back.",
    source: `new return in {
  return!("Hello, world!")
}
`,
    answers: ['"Hello, world!"'],
  },
  {
    title: "Values",
    about: "Numbers, texts, lists, maps; several messages at once come in no order.",
    source: `new return in {
  return!(6 * 7) |
  return!([1, 2, 3] ++ [4]) |
  return!({"name": "Ada", "born": 1815}.get("born")) |
  return!("\${greeting}, \${who}!" %% {"greeting": "Hi", "who": "Ada"})
}
`,
    answers: ["42", "[1, 2, 3, 4]", "1815", '"Hi, Ada!"'],
  },
  {
    title: "Send and receive",
    about: "Everything happens when a message meets a receive on the same name.",
    source: `new return, mailbox in {
  mailbox!("a letter") |
  for (@letter <- mailbox) {
    return!(["received", letter])
  }
}
`,
    answers: ['["received", "a letter"]'],
  },
  {
    title: "A contract",
    about: "A receive that stays, and answers each caller on the name that the caller sends along.",
    source: `new return, square, answer in {
  contract square(@number, reply) = {
    reply!(number * number)
  } |
  square!(12, *answer) |
  for (@result <- answer) {
    return!(result)
  }
}
`,
    answers: ["144"],
  },
  {
    title: "Waiting for two",
    about: "A join takes one message from each name, or none from any.",
    source: `new return, tea, milk in {
  for (@first <- tea & @second <- milk) {
    return!(first ++ " with " ++ second)
  } |
  milk!("milk") |
  tea!("tea")
}
`,
    answers: ['"tea with milk"'],
  },
  {
    title: "A loop",
    about: "A contract that sends to itself until it is done.",
    source: `new return, sum in {
  contract sum(@left, @total, reply) = {
    match left {
      [] => {
        reply!(total)
      }
      [head ...tail] => {
        sum!(tail, total + head, *reply)
      }
    }
  } |
  sum!([3, 5, 7, 11], 0, *return)
}
`,
    answers: ["26"],
  },
  {
    title: "Patterns",
    about: "Receives and matches look into what comes; what does not fit is left for others.",
    source: `new return, orders in {
  orders!({"fruit": "apple", "count": 3}) |
  orders!(("express", "pear")) |
  for (@("express", fruit) <- orders) {
    return!(["at once", fruit])
  } |
  for (@{"fruit": fruit, "count": count} <- orders) {
    return!([count, fruit])
  }
}
`,
    answers: ['["at once", "pear"]', '[3, "apple"]'],
  },
  {
    title: "State",
    about: "A message that is always put back is a cell: only one program at a time can take it.",
    source: `new return, counter, increment, first, second in {
  counter!(0) |
  contract increment(reply) = {
    for (@value <- counter) {
      counter!(value + 1) |
      reply!(value + 1)
    }
  } |
  increment!(*first) |
  for (@_ <- first) {
    increment!(*second) |
    for (@value <- second) {
      return!(value)
    }
  }
}
`,
    answers: ["2"],
  },
  {
    title: "The chain itself",
    about: "Calls the contract of the vaults, which every network begins with: an unused address has no balance.",
    source: `new return, lookup(\`rho:registry:lookup\`), vaults, found in {
  lookup!(\`rho:rchain:asiVault\`, *vaults) |
  for (@(_, ASIVault) <- vaults) {
    @ASIVault!("findOrCreate", "11112XQXMFMsncUo58BXjncucQ1i679zFJutMiDSGcTDXNNn12RHqN", *found) |
    for (@(true, vault) <- found) {
      @vault!("balance", *return)
    }
  }
}
`,
    answers: ["0"],
  },
  {
    title: "A token with a vote",
    about:
      "A ledger in a cell, transfers that cannot overdraw, and a vote that weighs by balance. Only this program has its names.",
    source: `new return, ledger, votes, transfer, vote, count, moved, tooMuch, yes, no in {
  ledger!({"ada": 60, "bob": 40}) |
  votes!({}) |

  // Moves coins where there are enough of them.
  contract transfer(@from, @to, @amount, reply) = {
    for (@balances <- ledger) {
      if (amount > 0 and balances.getOrElse(from, 0) >= amount) {
        match balances.set(from, balances.get(from) - amount) {
          paid => {
            ledger!(paid.set(to, paid.getOrElse(to, 0) + amount)) | reply!(true)
          }
        }
      } else {
        ledger!(balances) | reply!(false)
      }
    }
  } |

  // A holder has one vote; the last one counts.
  contract vote(@holder, @choice, reply) = {
    for (@cast <- votes) {
      votes!(cast.set(holder, choice)) | reply!(true)
    }
  } |

  // Adds up the weights of all holders that chose something.
  contract count(@choice, @holders, @weight, reply) = {
    match holders {
      [] => {
        reply!(weight)
      }
      [holder ...others] => {
        for (@cast <<- votes & @balances <<- ledger) {
          if (cast.get(holder) == choice) {
            count!(choice, others, weight + balances.get(holder), *reply)
          } else {
            count!(choice, others, weight, *reply)
          }
        }
      }
    }
  } |

  transfer!("ada", "bob", 25, *moved) |
  for (@ok <- moved) {
    transfer!("ada", "bob", 1000, *tooMuch) |
    for (@notOk <- tooMuch) {
      vote!("ada", "yes", *yes) |
      vote!("bob", "no", *no) |
      for (@_ <- yes & @_ <- no) {
        new forYes, forNo in {
          count!("yes", ["ada", "bob"], 0, *forYes) |
          count!("no", ["ada", "bob"], 0, *forNo) |
          for (@a <- forYes & @b <- forNo) {
            return!({"moved": ok, "overdrawn": notOk, "yes": a, "no": b})
          }
        }
      }
    }
  }
}
`,
    answers: ['{"moved": true, "no": 65, "overdrawn": false, "yes": 35}'],
  },
];
