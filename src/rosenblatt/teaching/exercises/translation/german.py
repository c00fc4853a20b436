"""The texts of the sheets in German. The keys are the English texts; names in braces stand for numbers and gaps."""

GERMAN: dict[str, str] = {
    # titles and words of all sheets
    "A perceptron learns a Boolean function": "Ein Perzeptron lernt eine Boolesche Funktion",
    "A perceptron by hand": "Ein Perzeptron von Hand",
    "The pocket algorithm": "Der Pocket-Algorithmus",
    "The batch perceptron": "Das Batch-Perzeptron",
    "The dual perceptron": "Das duale Perzeptron",
    "The mistake bound": "Die Fehlerschranke",
    "Separable or not": "Trennbar oder nicht",
    "A witness that no line separates": "Ein Beweis, dass keine Gerade trennt",
    "What a unit computes": "Was eine Einheit berechnet",
    "One against all others": "Eine Klasse gegen alle anderen",
    "Sheet {code}": "Blatt {code}",
    "Sheet {code}, key": "Blatt {code}, Lösung",
    "or": "oder",
    "yes": "ja",
    "no": "nein",
    "none": "keine",
    # headings
    "step": "Schritt",
    "example": "Beispiel",
    "score": "Wert",
    "mistake?": "Fehler?",
    "w after": "w danach",
    "alpha after": "alpha danach",
    "b after": "b danach",
    "run": "Lauf",
    "run in the pocket": "Lauf im Pocket",
    "w in the pocket": "w im Pocket",
    "loss before": "Verlust davor",
    "M": "M",
    "x": "x",
    "z": "z",
    "multiplier": "Faktor",
    "squared length of x": "Quadrat der Länge von x",
    "y times score": "y mal Wert",
    "output": "Ausgabe",
    "class": "Klasse",
    "point": "Punkt",
    "score of A": "Wert von A",
    "score of B": "Wert von B",
    "score of C": "Wert von C",
    "example 1": "Beispiel 1",
    "example 2": "Beispiel 2",
    "example 3": "Beispiel 3",
    # the rule
    "A score of zero is a mistake, whatever the label.":
    "Ein Wert von null ist ein Fehler, gleich welche Klasse es ist.",
    "A score of zero counts as +1.": "Ein Wert von null zählt als +1.",
    "A score of zero counts as -1.": "Ein Wert von null zählt als -1.",
    "x begins with the constant 1": "x beginnt mit der Konstanten 1",
    "the line passes through the origin": "die Gerade geht durch den Ursprung",
    "x begins with the constant 1.": "x beginnt mit der Konstanten 1.",
    "Every x begins with the constant 1.": "Jedes x beginnt mit der Konstanten 1.",
    "The line passes through the origin.": "Die Gerade geht durch den Ursprung.",
    "The planes pass through the origin.": "Die Ebenen gehen durch den Ursprung.",
    "{zero} Take the examples in turn, again and again. On a mistake add {eta} times y times x to w; {space}. "
    "Start at w = {start}. Stop after a whole pass without a mistake.":
    "{zero} Nehmen Sie die Beispiele der Reihe nach, immer wieder. Bei einem Fehler addieren Sie {eta} mal y mal "
    "x zu w; {space}. Beginnen Sie mit w = {start}. Hören Sie auf nach einem ganzen Durchgang ohne Fehler.",
    # by hand
    "A perceptron learns the function {a} or {b} of two inputs, with +1 for true and -1 for false.":
    "Ein Perzeptron lernt die Funktion {a} oder {b} von zwei Eingaben, mit +1 für wahr und -1 für falsch.",
    "A perceptron learns the function {a} and {b} of two inputs, with +1 for true and -1 for false.":
    "Ein Perzeptron lernt die Funktion {a} und {b} von zwei Eingaben, mit +1 für wahr und -1 für falsch.",
    "not x1": "nicht x1",
    "not x2": "nicht x2",
    "A perceptron learns to tell four points apart.": "Ein Perzeptron lernt, vier Punkte zu unterscheiden.",
    "Fill in the table.": "Füllen Sie die Tabelle aus.",
    "The number of mistakes is {mistakes}.": "Die Anzahl der Fehler ist {mistakes}.",
    "The number of mistakes is {mistakes}. The number of updates after which the same example still has a score "
    "of the wrong sign is {undershoots}.":
    "Die Anzahl der Fehler ist {mistakes}. Die Anzahl der Änderungen, nach denen dasselbe Beispiel immer noch "
    "einen Wert mit falschem Vorzeichen hat, ist {undershoots}.",
    # the pocket
    "The pocket algorithm keeps the weights with the longest run of right examples.":
    "Der Pocket-Algorithmus behält die Gewichte mit dem längsten Lauf richtiger Beispiele.",
    "Here the algorithm stops after 12 steps. At a mistake, w enters the pocket if run is larger than the run in "
    "the pocket; then w is updated and run is set to 0. After the last step the two runs are compared once more.":
    "Hier endet der Algorithmus nach 12 Schritten. Bei einem Fehler kommt w in den Pocket, wenn der Lauf größer "
    "ist als der Lauf im Pocket; dann wird w geändert und der Lauf auf 0 gesetzt. Nach dem letzten Schritt "
    "werden die beiden Läufe noch einmal verglichen.",
    "After the last comparison the pocket holds {w}.": "Nach dem letzten Vergleich ist im Pocket {w}.",
    # batch and dual
    "The batch perceptron adds up the updates of all misclassified examples M, and makes them at once. Its loss "
    "is the sum of -y times the score over M.":
    "Das Batch-Perzeptron summiert die Änderungen aller falsch klassifizierten Beispiele M und führt sie auf "
    "einmal aus. Sein Verlust ist die Summe von -y mal dem Wert über M.",
    "{zero} Each step adds {eta} times the sum of y times x over M. {offset} Start at w = {start}. Stop when M "
    "is empty.":
    "{zero} Jeder Schritt addiert {eta} mal die Summe von y mal x über M. {offset} Beginnen Sie mit w = {start}. "
    "Hören Sie auf, wenn M leer ist.",
    "Write M as the numbers of its examples, such as 1, 3; or none.":
    "Schreiben Sie M als die Nummern seiner Beispiele, etwa 1, 3; oder keine.",
    "The dual perceptron keeps a number alpha for each example instead of weights.":
    "Das duale Perzeptron hat statt der Gewichte eine Zahl alpha für jedes Beispiel.",
    "First fill in the Gram matrix of the inner products.": "Füllen Sie zuerst die Gram-Matrix der Skalarprodukte aus.",
    "{zero} Take the examples in turn. The score is the sum of alpha times y times the inner product, plus b. On "
    "a mistake add {eta} to the alpha of the example and {eta} times y to b. All start at 0. Stop after a pass "
    "without a mistake.":
    "{zero} Nehmen Sie die Beispiele der Reihe nach. Der Wert ist die Summe von alpha mal y mal dem "
    "Skalarprodukt, plus b. Bei einem Fehler addieren Sie {eta} zum alpha des Beispiels und {eta} mal y zu b. "
    "Alle beginnen bei 0. Hören Sie auf nach einem Durchgang ohne Fehler.",
    "{zero} Take the examples in turn. The score is the sum of alpha times y times the inner product. On a "
    "mistake add {eta} to the alpha of the example. All start at 0. Stop after a pass without a mistake.":
    "{zero} Nehmen Sie die Beispiele der Reihe nach. Der Wert ist die Summe von alpha mal y mal dem "
    "Skalarprodukt. Bei einem Fehler addieren Sie {eta} zum alpha des Beispiels. Alle beginnen bei 0. Hören Sie "
    "auf nach einem Durchgang ohne Fehler.",
    "The weights at the end, the sum of alpha times y times x, are {w}.":
    "Die Gewichte am Ende, die Summe von alpha mal y mal x, sind {w}.",
    # theory
    "How many mistakes can a perceptron make that starts at zero?":
    "Wie viele Fehler kann ein Perzeptron machen, das bei null beginnt?",
    "{ones} The weights w = {w} separate these examples. Fill in the squared length of each x, and y times its "
    "score under w.":
    "{ones} Die Gewichte w = {w} trennen diese Beispiele. Tragen Sie das Quadrat der Länge jedes x ein, und y "
    "mal seinen Wert unter w.",
    "The largest squared length is R2 = {r}, the squared length of w is W2 = {w}, and the smallest y times score "
    "is m = {m}.":
    "Das größte Quadrat einer Länge ist R2 = {r}, das Quadrat der Länge von w ist W2 = {w}, und das kleinste y "
    "mal Wert ist m = {m}.",
    "The bound R2 times W2 over m times m, rounded down, is {bound}.":
    "Die Schranke R2 mal W2 durch m mal m, abgerundet, ist {bound}.",
    "{zero} Taking the examples in turn, the perceptron makes this number of mistakes: {mistakes}.":
    "{zero} Der Reihe nach macht das Perzeptron so viele Fehler: {mistakes}.",
    "Which of these sets can a line separate? Draw them first.":
    "Welche dieser Mengen kann eine Gerade trennen? Zeichnen Sie sie zuerst.",
    "Which of these sets can a line separate that passes through the origin? Draw them first.":
    "Welche dieser Mengen kann eine Gerade durch den Ursprung trennen? Zeichnen Sie sie zuerst.",
    "Set {name}:": "Menge {name}:",
    "It is separable: {answer}.": "Sie ist trennbar: {answer}.",
    "Check: under w = {w} the values of y times the score are {scores}.":
    "Probe: Unter w = {w} ist y mal der Wert jeweils {scores}.",
    "No line separates these examples.": "Keine Gerade trennt diese Beispiele.",
    "Prove it: write z for y times the vector of {ones}. Find positive whole multipliers of the vectors below, "
    "as small as possible, such that the sum of multiplier times z is zero. Then no w has a positive score on "
    "all of them.":
    "Beweisen Sie es: z ist y mal der Vektor aus {ones}. Finden Sie positive ganze Faktoren der Vektoren unten, "
    "so klein wie möglich, für die die Summe von Faktor mal z null ist. Dann hat kein w auf allen einen "
    "positiven Wert.",
    "the constant 1 and then x": "der Konstanten 1 und dann x",
    # units and classes
    "A unit has the weights w = {w}, with the offset first. Its output is 1 where the score is positive and 0 "
    "where it is negative; a score of zero gives {out}.":
    "Eine Einheit hat die Gewichte w = {w}, mit dem Bias zuerst. Ihre Ausgabe ist 1, wo der Wert positiv ist, "
    "und 0, wo er negativ ist; ein Wert von null ergibt {out}.",
    "Now change only the offset. The smallest whole offset with the same outputs is {least}, and the largest is "
    "{most}.":
    "Ändern Sie nun nur den Bias. Der kleinste ganze Bias mit denselben Ausgaben ist {least}, und der größte ist "
    "{most}.",
    "Three perceptrons were trained, one for each class against all others. {ones}":
    "Drei Perzeptrons wurden trainiert, je eines für eine Klasse gegen alle anderen. {ones}",
    "Fill in the scores. The predicted class is the one with the largest score.":
    "Tragen Sie die Werte ein. Vorhergesagt wird die Klasse mit dem größten Wert.",
    "The number of points for which more than one score is positive is {count}.":
    "Die Anzahl der Punkte, für die mehr als ein Wert positiv ist, ist {count}.",
    # notebooks
    "Now write the loop. It is checked step by step, and the first wrong step is named.":
    "Schreiben Sie nun die Schleife. Sie wird Schritt für Schritt geprüft, und der erste falsche Schritt wird "
    "genannt.",
    "look again at {wrong}": "noch einmal ansehen: {wrong}",
}  # fmt: skip
