"""One answer: did it fail, did its context hold the answer, and which stage failed first?"""
